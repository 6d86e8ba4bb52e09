let ready = null;

// Classify a text: resolves to { label, labels, probabilities, explained, terms }. The model is unpacked once.
// `explain` names the label whose terms are given, by default the likeliest; `terms` is how many.
export async function classify(text, options = {}) {
  ready ??= unpack(DATA).then((data) => new Model(data));
  return (await ready).classify(text, options);
}
