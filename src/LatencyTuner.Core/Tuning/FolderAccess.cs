namespace LatencyTuner.Core.Tuning;

/// <summary>An entry of the access list of a folder.</summary>
/// <param name="Sid">Whom it is for.</param>
/// <param name="Rights">The rights as Windows numbers them (winnt.h, ACCESS_MASK).</param>
/// <param name="Allows">True when it grants them, false when it denies them.</param>
/// <param name="IsInheritOnly">True when it holds for what is in the folder only.</param>
public sealed record FolderAccess(string Sid, int Rights, bool Allows, bool IsInheritOnly);
