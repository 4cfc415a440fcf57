"""Fines: units, base amounts, reincidência, surcharge, payments. Pure arithmetic that keeps its steps."""

from penalties.allocation import Allocation, OpenPart, PaidPart, PaymentOrder, allocate
from penalties.antecedents import (
    Antecedent,
    AntecedentReading,
    PersonMatch,
    Scope,
    ScopeMap,
    Window,
    WindowAnchor,
)
from penalties.assessing import assess
from penalties.daily import days_accrued
from penalties.evidence import Evidence
from penalties.items import Charged, Item
from penalties.late_payment import Surcharge, SurchargeBase, surcharge
from penalties.memoria import Assessment, Line, NotCharged, OtherAmount, Warned
from penalties.money import AmountStyle, centavos, from_centavos, parse_amount, parse_quantity
from penalties.penalty import Choice, Grau, Penalty
from penalties.penalty_table import penalty_from_table
from penalties.progression import Progression, ProgressionKind, RecidivismRule, rule_from_table
from penalties.recidivism import OtherReading, Recidivism, RecidivismConfig, SideEffect, examine
from penalties.units import BRL, FiscalUnit, UnitDay, UnitValue, pick_values, shipped_units, unit_from_table

__all__ = [
    "BRL",
    "Allocation",
    "AmountStyle",
    "Antecedent",
    "AntecedentReading",
    "Assessment",
    "Charged",
    "Choice",
    "Evidence",
    "FiscalUnit",
    "Grau",
    "Item",
    "Line",
    "NotCharged",
    "OpenPart",
    "OtherAmount",
    "OtherReading",
    "PaidPart",
    "PaymentOrder",
    "Penalty",
    "PersonMatch",
    "Progression",
    "ProgressionKind",
    "Recidivism",
    "RecidivismConfig",
    "RecidivismRule",
    "Scope",
    "ScopeMap",
    "SideEffect",
    "Surcharge",
    "SurchargeBase",
    "UnitDay",
    "UnitValue",
    "Warned",
    "Window",
    "WindowAnchor",
    "allocate",
    "assess",
    "centavos",
    "days_accrued",
    "examine",
    "from_centavos",
    "parse_amount",
    "parse_quantity",
    "penalty_from_table",
    "pick_values",
    "rule_from_table",
    "shipped_units",
    "surcharge",
    "unit_from_table",
]
