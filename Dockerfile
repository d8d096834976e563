# One node or worker of the hub; compose.yaml says how they are put together.
FROM python:3.13-slim
COPY pyproject.toml README.md LICENSE constraints.txt /src/
COPY launcher /src/launcher
COPY src /src/src
RUN pip install --no-cache-dir --constraint /src/constraints.txt '/src[hub]' && rm -r /src
RUN useradd --create-home memdir
USER memdir
ENV HOME=/tmp
ENTRYPOINT ["memdir"]
CMD ["serve"]
