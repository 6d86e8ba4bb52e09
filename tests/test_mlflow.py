import numpy as np
import pytest

from textspace.datasets import TrainingData
from textspace.mlflow import log_model, save_model
from textspace.models import train

mlflow = pytest.importorskip("mlflow", reason="the extra 'mlflow' is not installed")
TEXTS = ["wheat and corn", "corn harvest", "ships at sea", "sea port", "corn crop", "a ship sank"]
LABELS = ["grain", "grain", "ship", "ship", "grain", "ship"]


@pytest.fixture(scope="module")
def model():
    data = TrainingData("goods", TEXTS, LABELS, columns={"text": ["subject", "body"], "label": "kind"})
    return train(data, quick=True)[0]


def test_a_saved_model_answers_as_before(model, tmp_path):
    pd = pytest.importorskip("pandas")
    save_model(model, tmp_path / "goods")
    loaded = mlflow.pyfunc.load_model(str(tmp_path / "goods"))
    found = loaded.predict(TEXTS)
    assert found["label"].tolist() == model.predict(TEXTS).tolist()
    np.testing.assert_allclose(found["probability"], model.predict_proba(TEXTS).max(axis=1), atol=1e-6)
    table = pd.DataFrame({"id": [1], "body": ["at sea"], "subject": ["a ship"]})
    [share] = loaded.predict(table)["probability"]
    assert share == pytest.approx(model.predict_proba(["a ship\nat sea"]).max(), abs=1e-6)
    with pytest.raises(ValueError, match="trained on subject, body"):
        loaded.predict(pd.DataFrame({"a": ["x"], "b": ["y"]}))


def test_a_model_is_logged_to_a_run(model, tmp_path):
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/runs.db")
    mlflow.create_experiment("goods", artifact_location=(tmp_path / "files").as_uri())
    mlflow.set_experiment("goods")
    with mlflow.start_run():
        info = log_model(model, "goods")
    assert mlflow.pyfunc.load_model(info.model_uri).predict(TEXTS[:1])["label"].tolist() == ["grain"]
