"""Draw what a kernel adds: two rings that no line parts, as linear and kernel methods see them."""

from pathlib import Path

import numpy as np
from matplotlib import pyplot as plt

from textspace.kernel import KernelLRWMMC, SpectralRegressionKDA
from textspace.linear import LRWMMC

IMAGES = Path(__file__).parent.parent / "images"
COLOURS = np.array(["#c2571a", "#1f5fa8"])


def rings(n_samples, seed):
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % 2
    angles, radii = rng.uniform(0, 2 * np.pi, n_samples), np.where(y, 2.0, 0.8)
    radii = radii + 0.12 * rng.standard_normal(n_samples)
    return np.column_stack([radii * np.cos(angles), radii * np.sin(angles)]), y


def main():
    (X, y), (new, truth) = rings(160, 0), rings(80, 1)
    figure, axes = plt.subplots(1, 4, figsize=(11, 3), layout="constrained")
    for points, classes, shade in ((X, y, 0.35), (new, truth, 1.0)):
        axes[0].scatter(*points.T, s=11, color=COLOURS[classes], alpha=shade, linewidths=0)
    axes[0].set_title("documents of two classes")
    projections = {
        "LRWMMC": LRWMMC(n_components=2),
        "kernel LRWMMC, Gaussian": KernelLRWMMC(n_components=2, sigma=2.0),
        "KDA, Gaussian": SpectralRegressionKDA(sigma=2.0),
    }
    for axis, (title, projection) in zip(axes[1:], projections.items(), strict=True):
        projection.fit(X, y)
        for points, classes, shade in ((X, y, 0.35), (new, truth, 1.0)):
            places = projection.transform(points)
            if places.shape[1] == 1:  # one coordinate: the rows are spread only to be seen
                places = np.column_stack([places, np.linspace(0, 1, len(places))])
            axis.scatter(*places.T, s=11, color=COLOURS[classes], alpha=shade, linewidths=0)
        axis.set_title(title)
    for axis in axes:
        axis.set(xticks=[], yticks=[])
    IMAGES.mkdir(exist_ok=True)
    plt.rcParams["svg.hashsalt"] = "kernel"
    figure.savefig(IMAGES / "kernel.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
