"""Forms of Cordon and XLSForm, the format of spreadsheets that ODK, KoboToolbox and others read::

    from cordon import forms
    form, notes = forms.read_xlsform("survey.xlsx")     # needs openpyxl: pip install cordon[forms]
    forms.write_xlsform(form, "survey.xlsx")

or on the command line: ``python -m cordon.forms import survey.xlsx -o form.json``. docs/reference/xlsform.md lists what is
converted. What one of the two formats cannot hold is an error or a note, never dropped in silence.
"""

from ._export import write_xlsform
from ._import import read_xlsform

__all__ = ["read_xlsform", "write_xlsform"]
