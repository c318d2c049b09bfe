//! From the records of a run or a cell to findings and a verdict.
