# The service, for a PostgreSQL server: COMBATLOG_DATABASE_URL says which. docker-compose.yml starts both.
FROM python:3.12-slim
WORKDIR /app
COPY pyproject.toml setup.py README.md ./
COPY ledger ledger
COPY projections projections
COPY combatlog combatlog
COPY cli cli
RUN pip install --no-cache-dir '.[serve]' && useradd --create-home combatlog
USER combatlog
ENV PYTHONUNBUFFERED=1
EXPOSE 8321
HEALTHCHECK --interval=10s --timeout=5s --retries=6 CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8321/readyz', timeout=4)"]
CMD ["combatlog", "serve", "--host", "0.0.0.0"]
