"""Makes the golden files of this folder with numpy and scipy: python3 lomb_scargle.py"""
import numpy as np
from scipy.signal import lombscargle

random = np.random.RandomState(20)
n = 2400
t = np.arange(n) + 0.5
y = 50 + 6 * np.cos(2 * np.pi * t / 73.0 + 1.1) + 12 * random.standard_normal(n)
y[random.random_sample(n) < 0.25] = np.nan
y[900:1050] = np.nan
np.savetxt("lomb_scargle.series.txt", y, fmt="%.6f")

ok = ~np.isnan(y)
centred = y[ok] - y[ok].mean()
frequencies = np.linspace(1 / 90.0, 1 / 60.0, 20001)
power = lombscargle(t[ok], centred, 2 * np.pi * frequencies)
best = frequencies[power.argmax()]
amplitude = np.sqrt(4 * power.max() / ok.sum())
np.savetxt("lomb_scargle.expected.txt", [1 / best, amplitude], fmt="%.6f")

x = random.standard_normal(64)
f = np.fft.fft(x)
np.savetxt("fft.expected.txt", np.column_stack([x, f.real, f.imag]), fmt="%.15g")
