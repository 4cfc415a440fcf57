"""The errors of typesetting."""

from __future__ import annotations

from legalbasis import PosturasError


class CharacterNotDrawn(PosturasError):
    """Um caractere do documento não existe nas fontes de impressão."""

    code = "caractere_sem_desenho"
    default_remedy = "Corrija o texto no registro: a peça não se imprime com um quadrado no lugar da letra."


class CoatOfArmsUnreadable(PosturasError):
    """O arquivo do brasão não pôde ser lido."""

    code = "brasao_ilegivel"
    default_remedy = "Informe um arquivo SVG, PNG ou JPEG em documento.brasao: posturas rulebook option set"


class TypesettingFailed(PosturasError):
    """O documento não pôde ser composto."""

    code = "composicao_falhou"
