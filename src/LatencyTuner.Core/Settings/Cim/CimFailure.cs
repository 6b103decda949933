namespace LatencyTuner.Core.Settings.Cim;

/// <summary>A query or write of CIM that failed.</summary>
/// <param name="Reason">The kind of failure.</param>
/// <param name="Sentence">The reason, a sentence.</param>
public sealed record CimFailure(CimFailureReason Reason, string Sentence)
{
    private const string NotThere = "CIM is missing or does not work on this Windows (Nano Server, a container, a broken WMI repository)";

    /// <summary>The failure behind an error code. Codes: wbemcli.h (WBEM_E_...), winerror.h.</summary>
    /// <param name="code">The HRESULT of the failed call.</param>
    /// <param name="message">The text of the system, in the language of Windows; it is quoted only for unknown codes.</param>
    /// <param name="what">What was queried or written, for example the class.</param>
    public static CimFailure From(int code, string? message, string what) => unchecked((uint)code) switch
    {
        0x8004_1010 or 0x8004_1002 or 0x8004_1011 => new(CimFailureReason.NoSuchClass, $"This Windows has no {what}."),
        0x8004_100E => new(CimFailureReason.NotThere, $"{NotThere}: the namespace of {what} is missing."),
        0x8004_0154 or 0x8008_0005 => new(CimFailureReason.NotThere, $"{NotThere}: it is not registered ({Hex(code)})."),
        0x8007_0422 or 0x8004_1033 => new(CimFailureReason.NotThere, $"{NotThere}: its service (Winmgmt) is disabled or is stopping ({Hex(code)})."),
        0x8007_06BA or 0x8007_06BE or 0x8001_0108 or 0x8004_1015 => new(CimFailureReason.NotThere, $"{NotThere}: its service cannot be reached ({Hex(code)})."),
        0x0004_0004 => new(CimFailureReason.TimedOut, $"{what} did not answer in time."),
        0x8004_1003 or 0x8007_0005 => new(CimFailureReason.Denied, $"Access to {what} is denied."),
        0x8004_1004 or 0x8004_1013 => new(CimFailureReason.Other, $"The provider of {what} failed ({Hex(code)})."),
        0x8004_1023 or 0x8004_1008 or 0x8004_1016 or 0x8004_100C or 0x8007_0057 =>
            new(CimFailureReason.ReadOnly, $"{what} is read-only on this Windows ({Hex(code)})."),
        0x8004_1024 or 0x8007_0032 => new(CimFailureReason.ReadOnly, $"Windows' own provider of {what} does not offer this call ({Hex(code)})."),
        _ =>
            new(
                CimFailureReason.Other,
                $"{what}: {Readable(message)} ({Hex(code)})."),
    };

    /// <summary>The failure when the libraries or the runtime that CIM needs are missing, as on Nano Server.</summary>
    /// <param name="message">The message of the .NET runtime.</param>
    public static CimFailure Missing(string message)
    {
        ArgumentNullException.ThrowIfNull(message);
        return new(CimFailureReason.NotThere, $"{NotThere}: {message.TrimEnd('.')}.");
    }

    /// <summary>The failure when no answer came in time.</summary>
    /// <param name="what">What was queried or written.</param>
    /// <param name="limit">The longest time for the answer.</param>
    public static CimFailure TooLate(string what, TimeSpan limit) =>
        new(
            CimFailureReason.TimedOut,
            string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{what} did not answer within {limit.TotalSeconds:0.#} s."));

    private static string Hex(int code) => $"0x{code:X8}";

    private static string Readable(string? message) => string.IsNullOrWhiteSpace(message) ? "an error without a text"
        : string.Concat(message.Select(c => char.IsControl(c) ? ' ' : c)).Trim().TrimEnd('.');
}

/// <summary>The reasons of a failure of CIM.</summary>
public enum CimFailureReason
{
    /// <summary>This Windows does not have the class; it may have others.</summary>
    NoSuchClass,

    /// <summary>CIM itself is missing or does not work: further queries would fail too.</summary>
    NotThere,

    /// <summary>The user has no access to the class or the namespace.</summary>
    Denied,

    /// <summary>No answer came in time.</summary>
    TimedOut,

    /// <summary>This Windows does not allow the write.</summary>
    ReadOnly,

    /// <summary>Any other failure.</summary>
    Other,
}
