"""What can go wrong between the record and a database. Messages never carry a password, a name or a document."""

from __future__ import annotations

from collections.abc import Sequence

from legalbasis import PosturasError


class StoreError(PosturasError):
    """O banco de dados não pôde guardar ou devolver o registro."""

    code = "erro_do_banco"


class DatabaseUrlInvalid(StoreError):
    """O endereço do banco de dados não é válido."""

    code = "url_do_banco_invalida"
    default_remedy = (
        "Escreva sqlite:///arquivo.db ou postgresql://usuario@servidor/banco, em --db ou na variável POSTURAS_DB."
    )


class DriverMissing(StoreError):
    """Falta o driver do PostgreSQL."""

    code = "driver_ausente"
    default_remedy = "Instale com: pip install 'posturas[postgres]'"


class DatabaseUnreachable(StoreError):
    """O banco de dados não responde."""

    code = "banco_inacessivel"
    default_remedy = "Confira o endereço, se o servidor está no ar e se o usuário tem acesso."


class DatabaseTooOld(StoreError):
    """A versão do banco de dados é antiga demais."""

    code = "banco_antigo"
    default_remedy = "Use PostgreSQL 14 ou mais novo, ou SQLite 3.38 ou mais novo."


class DatabaseBusy(StoreError):
    """Outro processo está gravando no banco de dados."""

    code = "banco_ocupado"
    default_remedy = "Espere que o outro termine e repita o comando; nada foi gravado."


class DatabaseReadOnly(StoreError):
    """O banco de dados não aceita gravação."""

    code = "banco_so_de_leitura"
    default_remedy = "Confira as permissões do arquivo e da pasta, ou os direitos do usuário; nada foi gravado."


class SchemaMissing(StoreError):
    """O banco de dados ainda não tem as tabelas do Posturas."""

    code = "banco_sem_tabelas"
    default_remedy = "Antes, rode posturas db upgrade"


class SchemaOutdated(StoreError):
    """As tabelas do banco de dados são de uma versão anterior."""

    code = "banco_desatualizado"
    default_remedy = "Antes, rode posturas db upgrade"


class SchemaNewer(StoreError):
    """As tabelas do banco de dados são de uma versão mais nova que este programa."""

    code = "banco_mais_novo"
    default_remedy = "Instale a versão do posturas que atualizou este banco."


class StaleCase(StoreError):
    """O auto foi alterado por outra gravação depois de lido."""

    code = "auto_alterado"
    default_remedy = "Desfaça a transação, leia o auto de novo e repita o ato."

    def __init__(self, municipality: str, autos: Sequence[str]) -> None:
        self.municipality = municipality
        self.autos = tuple(autos)
        shown = ", ".join(self.autos[:5]) + (f" e mais {len(self.autos) - 5}" if len(self.autos) > 5 else "")
        super().__init__(place=f"município {municipality}, auto {shown}")


class KeyAlreadyUsed(StoreError):
    """A chave de idempotência já pertence a outro ato."""

    code = "chave_repetida"
    default_remedy = "A mesma chave é o mesmo ato: use outra chave para outro ato."


class ExpiryAlreadyRecorded(StoreError):
    """O decurso deste prazo já está registrado."""

    code = "decurso_ja_registrado"
    default_remedy = "Leia o auto de novo: outra varredura concluiu o prazo."


class InscriptionConflict(StoreError):
    """O número de inscrição é de outra inscrição, ou falta."""

    code = "numero_de_inscricao_em_conflito"
    default_remedy = "Os números vêm só do contador do município: desfaça a transação e repita."


class PersonNotFound(StoreError):
    """Não há registro desta pessoa."""

    code = "pessoa_inexistente"


class TextNotStorable(StoreError):
    """O texto tem caracteres que não podem ser gravados."""

    code = "texto_invalido"
    default_remedy = "Retire do texto os caracteres nulos e os pares UTF-16 soltos."
