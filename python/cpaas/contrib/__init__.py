"""Integrations with frameworks. Each module needs a package that the wheel does not install: `django`, `fastapi`, `flask`,
`opentelemetry`."""
