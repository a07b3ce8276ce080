"""The memories that the arena can run, by the name that `--adapter` takes."""
from adapters.basic_memory import BasicMemory
from adapters.libsql import LibsqlMemory
from adapters.memory_service import MemoryService
from adapters.openclaw import Openclaw
from adapters.server_memory import ServerMemory

ADAPTERS = {adapter.name: adapter for adapter in (Openclaw, ServerMemory, LibsqlMemory, BasicMemory, MemoryService)}
