"""boto3: a server that closes each connection after the request receives one SMS three times in the mode `standard`."""
import boto3
import server
from botocore.config import Config

keys = {"region_name": "eu-west-1", "aws_access_key_id": "key", "aws_secret_access_key": "secret"}
sns = boto3.client("sns", endpoint_url=f"http://{server.start()}", config=Config(retries={"mode": "standard"}), **keys)
try:
    sns.publish(PhoneNumber="+306912345678", Message="Hello")
except Exception as error:
    print(len(server.RECEIVED), "requests;", type(error).__name__)
assert len(server.RECEIVED) == 3
