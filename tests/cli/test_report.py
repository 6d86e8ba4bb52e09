def test_what_is_no_results_file_is_refused(run, tmp_path):
    outcome = run("report", "absent.json")
    assert outcome.code == 1
    assert "there is no file absent.json" in outcome.err
    (tmp_path / "other.json").write_text("{}")
    outcome = run("report", "other.json")
    assert outcome.code == 1
    assert "other.json is not a comparison saved by textspace" in outcome.err
    assert not (tmp_path / "other.html").exists()
