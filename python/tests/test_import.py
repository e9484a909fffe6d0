"""The modules that `import cpaas` loads."""

import subprocess
import sys

import pytest

# What a client does not need costs an application its start.
FORBIDDEN = {
    "logging",
    "asyncio",
    "importlib.metadata",
    "json",
    "http",
    "ssl",
    "socket",
    "cpaas.models",
    "cpaas.types",
}


def loaded(code):
    script = f"import sys; before = set(sys.modules); {code}; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-S", "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def path():
    import os

    import cpaas

    return os.path.dirname(os.path.dirname(cpaas.__file__))


@pytest.mark.parametrize("use", ["import cpaas", "import cpaas; cpaas.Client().close()"])
def test_import_loads_few_modules(use):
    found = loaded(f"sys.path.append({path()!r}); {use}")
    assert found & FORBIDDEN == set()


def test_a_result_loads_only_the_models(wire):
    use = f"import cpaas; c = cpaas.Client(sms_url={wire.url!r}, sms_key='k'); c.sms.send(from_='A', to='306912345678', text='x'); c.close()"
    found = loaded(f"sys.path.append({path()!r}); {use}")
    assert found & FORBIDDEN == {"cpaas.models"}


def test_lazy_names_are_available():
    import cpaas

    for name in cpaas.__all__:
        assert getattr(cpaas, name) is not None
        assert name in dir(cpaas)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = cpaas.nothing


def test_the_wheel_has_no_dependency():
    from importlib.metadata import PackageNotFoundError, requires

    try:
        found = requires("cpaas") or []
    except PackageNotFoundError:
        pytest.skip("not installed from a wheel")
    assert [name for name in found if "extra ==" not in name] == []
