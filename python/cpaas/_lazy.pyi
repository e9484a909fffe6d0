import datetime as datetime
import typing as typing
from collections import abc as abc

from . import callbacks as callbacks
from . import models as models
from . import types as types
