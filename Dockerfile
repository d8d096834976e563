# One node or worker of the hub; compose.yaml says how they are put together.
FROM python:3.13-slim AS build
COPY pyproject.toml README.md LICENSE constraints.txt /src/
COPY launcher /src/launcher
COPY src /src/src
RUN pip install --no-cache-dir --root-user-action ignore --prefix /made --constraint /src/constraints.txt '/src[hub]'

FROM python:3.13-slim
COPY --from=build /made /usr/local
# On a file system that is only read, each start would compile the standard library again.
RUN python -m compileall -q /usr/local/lib/python3.13 && useradd --home-dir /tmp memdir
USER memdir
# Nothing but temporary files is written: a node keeps nothing of its own.
ENV HOME=/tmp
EXPOSE 8377
ENTRYPOINT ["memdir"]
CMD ["serve", "--host", "0.0.0.0"]
