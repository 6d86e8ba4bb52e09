# A model as a web service, by a user without rights: docker compose up, or
#   docker build -t textspace . && docker run --read-only --tmpfs /tmp -v ./model:/model:ro -v corrections:/data \
#     -e TEXTSPACE_TOKEN=... -p 127.0.0.1:8000:8000 textspace
FROM python:3.12-slim

COPY constraints.txt pyproject.toml README.md LICENSE /src/
COPY src /src/src
RUN pip install --no-cache-dir --constraint /src/constraints.txt "/src[serve,sign]" && rm -rf /src

# compiled code is kept in the image, where only root can write: each start loads it
ENV TEXTSPACE_CACHE=/opt/textspace PYTHONUTF8=1
RUN textspace train demo -o /tmp/demo.textspace \
    && textspace explain /tmp/demo.textspace "a first text" > /dev/null \
    && rm -r /tmp/demo.textspace

RUN useradd --system --uid 10001 --no-create-home textspace && install -d -o textspace /data
USER textspace
EXPOSE 8000
HEALTHCHECK CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/live', timeout=3)"]
ENTRYPOINT ["textspace", "serve", "/model/model.textspace", "--host", "0.0.0.0"]
CMD ["--corrections", "/data/corrections.jsonl"]
