"""boto3: publish of SNS. Recommended: the retry mode `standard` with three attempts. Retries off: one attempt."""
import boto3
import driver
from botocore.config import Config
from botocore.exceptions import ClientError

RETRIES = {"mode": "standard", "total_max_attempts": 3 if driver.RETRIES else 1}


def call(url):
    config = Config(connect_timeout=driver.TIMEOUT, read_timeout=driver.TIMEOUT, retries=RETRIES)
    keys = {"aws_access_key_id": "key", "aws_secret_access_key": "secret"}
    client = boto3.client("sns", endpoint_url=url, region_name="eu-west-1", config=config, **keys)
    return client.publish(PhoneNumber=f"+{driver.TO}", Message=driver.TEXT)


def report(error):
    return driver.by_status(error.response["ResponseMetadata"]["HTTPStatusCode"]) if isinstance(error, ClientError) else None


driver.run(call, report)
