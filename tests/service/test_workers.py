"""``textspace serve`` with several processes, as it is started and ended from a shell."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import httpx2
import pytest
from tests.adversary.served import workers

from textspace.models import TextClassifier, save

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="there is no /proc to find workers in"),
]


def wait_for(condition):
    end = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_workers_share_corrections_and_outlive_one_another(model, tmp_path):
    path, saved = tmp_path / "farm.textspace", tmp_path / "corrections.jsonl"
    save(model, path)
    command = [sys.executable, "-m", "textspace", "serve", path, "--port", "0", "--workers", "2"]
    process = subprocess.Popen([*command, "--corrections", saved], stderr=subprocess.PIPE, text=True)
    try:
        place = re.search(r"http://127\.0\.0\.1:\d+", process.stderr.readline())[0]

        def correct(number):
            correction = {"text": f"sea {number} " + "corn " * 3000, "label": "grain"}
            return httpx2.post(f"{place}/corrections", json=correction, timeout=120).status_code

        def classes():
            return httpx2.get(f"{place}/model", timeout=120).json()["classes"]

        with ThreadPoolExecutor(8) as pool:
            assert set(pool.map(correct, range(40))) == {201}
        first = workers(process.pid)
        assert len(first) == 2
        os.kill(max(first), signal.SIGKILL)
        assert {correct(number) for number in range(40, 50)} == {201}
        lines = [json.loads(line)["text"] for line in saved.read_text().splitlines()]
        assert sorted(int(text.split()[1]) for text in lines) == list(range(50))

        wait_for(lambda: len(workers(process.pid) - {max(first)}) == 2)
        assert httpx2.get(f"{place}/model", headers={"Host": "evil.example"}).status_code == 421
        save(TextClassifier("nb").fit(["corn", "wheat", "sea", "port"], ["a", "a", "b", "b"]), path)
        wait_for(lambda: all(classes() == ["a", "b"] for _ in range(10)))
        process.send_signal(signal.SIGHUP)
        assert classes() == ["a", "b"]
        whole = path.read_bytes()
        path.write_bytes(whole[:-1000])  # so that none can start, until it is whole again
        left, killed = sorted(workers(process.pid))
        os.kill(killed, signal.SIGKILL)
        log = []
        while "in 2 s" not in "".join(log):
            log.append(process.stderr.readline())
        path.write_bytes(whole)
        wait_for(lambda: len(workers(process.pid)) == 2)
        os.kill(left, signal.SIGKILL)
        assert classes() == ["a", "b"]  # by one that has started since
        wait_for(lambda: len(workers(process.pid) - {left}) == 2)
        last = workers(process.pid)
        process.send_signal(signal.SIGINT)
        assert process.wait(120) == 0
        log += process.stderr.readlines()
        ended = "a worker has ended (exit code {}): another takes its place{}.\n"
        assert [line for line in log if line.startswith("a worker")] == [
            *(2 * [ended.format(-9, "")]), ended.format(3, " in 1 s"), ended.format(3, " in 2 s"),
            ended.format(-9, ""),
        ]  # fmt: skip
        assert "Traceback" not in "".join(log)
        assert not any(Path(f"/proc/{worker}").exists() for worker in last)
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")
def test_processes_are_replaced_whatever_becomes_of_what_forks_them(model, tmp_path):
    path, place_of_socket = tmp_path / "farm.textspace", tempfile.mkdtemp()
    save(model, path)
    command = [sys.executable, "-m", "textspace", "serve", path, "--port", "0", "--workers", "2"]
    variables = {**os.environ, "TMPDIR": place_of_socket}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=variables)

    def started():
        wait_for(lambda: len(workers(process.pid)) == 2)
        assert httpx2.get(f"{place}/ready", timeout=120).status_code == 200
        return workers(process.pid)

    def parents(processes):
        stats = [Path(f"/proc/{each}/stat").read_text().rpartition(")")[2] for each in processes]
        return {int(stat.split()[1]) for stat in stats}

    def have_ended(processes):
        return not any(Path(f"/proc/{each}").exists() for each in processes)

    try:
        place = re.search(r"http://127\.0\.0\.1:\d+", process.stderr.readline())[0]
        forked = started()
        (fork_server,) = parents(forked)
        assert fork_server != process.pid
        os.kill(fork_server, signal.SIGKILL)
        wait_for(lambda: have_ended(forked))
        (killed, _) = forked = started()
        shutil.rmtree(place_of_socket)  # so that nothing can be forked any more
        os.kill(killed, signal.SIGKILL)
        wait_for(lambda: killed not in workers(process.pid))
        mixed = started()
        assert len(forked & mixed) == 1
        assert process.pid in parents(mixed)
        process.kill()
        wait_for(lambda: have_ended(mixed))
    finally:
        process.kill()
        process.wait()
        process.stderr.close()
        shutil.rmtree(place_of_socket, ignore_errors=True)


@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")
def test_processes_outlive_signals_to_all_a_module_of_the_folder_and_a_full_system(model, tmp_path):
    import resource

    save(model, tmp_path / "farm.textspace")
    folder, program = tmp_path / "folder", tmp_path / "program.py"
    folder.mkdir()
    (folder / "selectors.py").write_text("raise RuntimeError('this module is the user's')")
    program.write_text("from textspace.cli import main\n\nif __name__ == '__main__':\n    main()\n")
    command = [sys.executable, program, "serve", tmp_path / "farm.textspace", "--port", "0", "--workers", "2"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=folder, start_new_session=True)
    try:
        place = re.search(r"http://127\.0\.0\.1:\d+", process.stderr.readline())[0]
        wait_for(lambda: len(workers(process.pid)) == 2)
        assert httpx2.get(f"{place}/ready", timeout=120).status_code == 200
        first = workers(process.pid)
        os.killpg(process.pid, signal.SIGHUP)
        limits = resource.prlimit(process.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (8, limits[1]))
        os.kill(max(first), signal.SIGKILL)
        assert "(exit code -9)" in process.stderr.readline()
        said = "no worker can be started (Too many open files): tried again in 1 s.\n"
        assert process.stderr.readline() == said
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, limits)
        wait_for(lambda: len(workers(process.pid)) == 2)
        assert httpx2.get(f"{place}/ready", timeout=120).status_code == 200
        assert min(first) in workers(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(120) == 0
        assert "Traceback" not in process.stderr.read()
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of another process can be set on Linux only")
@pytest.mark.parametrize(("at_first", "at_most"), [(128, 1024), (64, 64)], ids=["until it asks", "for good"])
def test_more_connections_at_once_than_files_may_be_open(model, tmp_path, at_first, at_most):
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most < at_most:
        pytest.skip("the system does not let a process open a thousand files")
    save(model, tmp_path / "farm.textspace")
    command = [sys.executable, "-m", "textspace", "serve", tmp_path / "farm.textspace", "--port", "0"]
    few = partial(resource.setrlimit, resource.RLIMIT_NOFILE, (at_first, at_most))
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=few)
    try:
        place = re.search(r"http://127\.0\.0\.1:\d+", process.stderr.readline())[0]
        assert httpx2.get(f"{place}/ready", timeout=120).status_code == 200
        with ExitStack() as stack:
            process.send_signal(signal.SIGSTOP)  # until all are there
            for _ in range(200):
                connection = stack.enter_context(socket.socket())
                connection.setblocking(False)
                connection.bind(("127.0.0.2", 0))
                connection.connect_ex(("127.0.0.1", int(place.rpartition(":")[2])))
            process.send_signal(signal.SIGCONT)
            assert httpx2.get(f"{place}/live", timeout=120).status_code == 200
        process.terminate()
        assert "Too many open files" not in process.stderr.read()
    finally:
        process.kill()
        process.wait()
        process.stderr.close()
