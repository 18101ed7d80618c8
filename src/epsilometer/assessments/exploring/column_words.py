"""What the name of a column says: words for what people know of each other, hide, and are told apart by.

Words are English, German, Portuguese, Spanish and French, in lower case and without accents.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Says = Literal["known", "hidden", "numbers people", "names people"]

FEWEST_LETTERS: Final = 6  # of a word that may be a part of another: "age" is not in "wages"
MOST_PARTS: Final = 4  # of a word written as several: "social security number"
LONGEST: Final = 200  # letters of a name that are looked at
UMLAUTS: Final = {ord(umlaut): written for umlaut, written in (("ä", "ae"), ("ö", "oe"), ("ü", "ue"))}

KNOWN: Final[Mapping[str, str]] = {
    "age": "age ages alter idade edad agegroup altersgruppe",
    "sex": "sex gender geschlecht sexo genero sexe genre",
    "a date of birth": (
        "birth birthday birthdate birthyear dob yob born geburt geburtsdatum geburtsjahr geburtstag nascimento "
        "nacimiento naissance"
    ),
    "a postcode": "zip zipcode postcode postalcode postal plz postleitzahl cep codigopostal codepostal",
    "a place": (
        "region state county district city town village municipality province country address street neighbourhood "
        "neighborhood land bundesland kreis landkreis stadt gemeinde wohnort ort bezirk strasse anschrift estado "
        "municipio cidade bairro endereco provincia ciudad pais regiao direccion comunidad departement commune ville "
        "pays adresse quartier location residence"
    ),
    "race or origin": (
        "race ethnicity ethnic ethnie nationality citizenship nationalitaet staatsangehoerigkeit herkunft hautfarbe "
        "raca etnia nacionalidade raza nacionalidad nationalite origine nativecountry birthplace geburtsort"
    ),
    "an occupation": (
        "occupation job profession employer employment workclass industry beruf arbeitgeber branche taetigkeit "
        "profissao ocupacao emprego ocupacion profesion empleo metier emploi"
    ),
    "education": (
        "education degree school schooling grade bildung schulabschluss ausbildung schule abschluss educacao "
        "escolaridade escola educacion estudios escuela formation diplome etudes"
    ),
    "marital status or family": (
        "marital maritalstatus married civilstatus relationship household children spouse familienstand verheiratet "
        "haushalt kinder estadocivil casado filhos hijos hogar etatcivil situationfamiliale enfants menage"
    ),
    "a language": "language mothertongue sprache muttersprache lingua idioma langue",
    "height": "height groesse altura estatura taille",
}
HIDDEN: Final[Mapping[str, str]] = {
    "health": (
        "diagnosis diagnose diagnoses icd icd10 disease illness health hiv symptom medication treatment therapy "
        "disability cancer diabetes pregnant pregnancy allergy diagnostico doenca saude tratamento medicamento "
        "enfermedad salud tratamiento krankheit gesundheit behandlung medikament behinderung schwanger maladie "
        "diagnostic sante traitement handicap grossesse"
    ),
    "money": (
        "income salary wage wages earnings pay debt loan balance credit wealth einkommen gehalt lohn schulden "
        "vermoegen kredit kontostand renda salario rendimento divida ingreso ingresos sueldo deuda "
        "revenu revenus salaire dette "
        "capitalgain capitalloss turnover default bankrupt bankruptcy benefit benefits"
    ),
    "religion": "religion faith konfession glaube religiao confession",
    "politics": "vote voted party politics political wahl partei gewerkschaft voto partido politica votes parti union",
    "sexual life": "orientation sexualorientation orientierung orientacao orientacion",
    "crime": "crime criminal conviction offence offense arrest prison straftat verurteilung crimen delito condenacao",
    "results of tests": "score result testresult iq ergebnis note nota resultado resultat",
    "a reason": "reason cause grund motivo causa raison",
}
NUMBERS: Final[Mapping[str, str]] = {
    "a number that people are told apart by": (
        "id uuid guid personid patientid userid customerid clientid employeeid studentid memberid rowid recordid index "
        "ssn socialsecurity socialsecuritynumber nationalid taxid cpf nif dni nie rut curp rg nis passport "
        "passportnumber passnummer steuernummer steuerid sozialversicherungsnummer "
        "versichertennummer patientennummer kundennummer "
        "personalnummer matrikelnummer matricula identificador identifiant numerosecu nir insee mrn"
    ),
    "an e-mail address": "email mail emailaddress correo courriel",
    "a login or account": "username login account accountnumber iban konto kontonummer conta cuenta compte",
}
NAMES: Final[Mapping[str, str]] = {
    "a name": (
        "name fullname firstname lastname surname familyname givenname forename vorname nachname familienname nome "
        "sobrenome nombre apellido apellidos nom prenom"
    ),
    "a telephone number": (
        "phone telephone mobile cell fax telefon handy mobilnummer telefone celular telefono movil portable"
    ),
    "a device or network address": "ip ipaddress mac macaddress deviceid imei licenseplate kennzeichen",
}


class Meaning(NamedTuple):
    """What a name says.

    Attributes:
        says: the part it suggests.
        about: what the column is about, in words.
    """

    says: Says
    about: str


def _words() -> Iterator[tuple[str, Meaning]]:
    groups: dict[Says, Mapping[str, str]] = {
        "known": KNOWN,
        "hidden": HIDDEN,
        "numbers people": NUMBERS,
        "names people": NAMES,
    }
    for says, concepts in groups.items():
        for about, words in concepts.items():
            for word in words.split():
                yield word, Meaning(says, about)


WORDS: Final = dict(_words())
LONG_WORDS: Final = sorted((word for word in WORDS if len(word) >= FEWEST_LETTERS), key=len, reverse=True)


def meaning_of(name: str) -> Meaning | None:
    """Return what the name of a column says, or ``None`` if it says nothing.

    The longest word counts: "estado_civil" is about marriage and not about a place, "country_name" about a place.

    >>> meaning_of("Estado Civil").about, meaning_of("patientAge").about, meaning_of("Jahreseinkommen").about
    ('marital status or family', 'age', 'money')
    >>> meaning_of("language").about, meaning_of("x7") is None
    ('a language', True)
    """
    parts = parts_of(name)
    joined = {
        "".join(parts[first : first + length])
        for length in range(1, MOST_PARTS + 1)
        for first in range(len(parts) - length + 1)
    }
    found = [word for word in joined if word in WORDS]
    if not found:  # compounds, as in German: at one end of a part
        found = [word for part in parts for word in LONG_WORDS if part.startswith(word) or part.endswith(word)]
    # Of two words as long, "name" says less: "city_name" is about a place.
    return WORDS[max(found, key=lambda word: (len(word), WORDS[word].says != "names people"))] if found else None


def parts_of(name: str) -> list[str]:
    """Return the words that a name is put together from, in lower case and without accents.

    >>> parts_of("GeburtsDatum_Größe"), parts_of("código postal")
    (['geburts', 'datum', 'groesse'], ['codigo', 'postal'])
    """
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name[:LONGEST])
    german = spaced.casefold().translate(UMLAUTS)
    plain = "".join(c for c in unicodedata.normalize("NFKD", german) if not unicodedata.combining(c))
    return re.findall(r"[a-z0-9]+", plain)
