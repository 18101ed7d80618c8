from .mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace

__all__ = ["DiscreteGaussian", "Gaussian", "Geometric", "Laplace"]
