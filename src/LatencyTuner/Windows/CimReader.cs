using System.Management;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using LatencyTuner.Core.Settings.Cim;

namespace LatencyTuner.Windows;

/// <summary>
/// Queries CIM on this machine. A missing CIM, as on Nano Server, is a result, and so is a timeout. WMI has waits that no option ends (the
/// connection, a provider that hangs): each query therefore has a thread of its own, which is abandoned when its time is up.
/// </summary>
[SupportedOSPlatform("windows")]
internal static class CimReader
{
    /// <summary>The share of the time limit that the query gives the provider: below 1, so that a slow provider differs from one that hangs.</summary>
    private const double ShareOfLimit = 0.8;

    /// <summary>The instances of a class.</summary>
    public static CimResult Query(CimQuery query) =>
        Within(query.Limit, query.Class, () => new CimResult(Read(query))) is var (result, failure) && failure is null ? result! : CimResult.Of(failure!);

    /// <summary>Runs work with CIM and turns every failure into a result.</summary>
    public static (T? Result, CimFailure? Failure) Within<T>(TimeSpan limit, string what, Func<T> work)
        where T : class
    {
        T? result = null;
        CimFailure? failure = null;
        Thread thread = new(() =>
        {
            try
            {
                result = work();
            }
            catch (Exception e)
            {
                failure = FailureOf(e, what);
            }
        })
        { IsBackground = true };
        thread.Start();
        return thread.Join(limit) ? (result, failure) : (null, CimFailure.TooLate(what, limit));
    }

    private static List<CimRow> Read(CimQuery query)
    {
        System.Management.EnumerationOptions options = new() { ReturnImmediately = true, Rewindable = false, Timeout = query.Limit * ShareOfLimit };
        using ManagementObjectSearcher searcher = new(ScopeOf(query.Namespace), new ObjectQuery(query.Wql), options);
        using ManagementObjectCollection found = searcher.Get();
        List<CimRow> rows = [];
        foreach (ManagementBaseObject instance in found)
        {
            using (instance)
            {
                rows.Add(RowOf(instance, query.Properties));
            }
        }

        return rows;
    }

    /// <summary>The requested properties of an instance, without those that its class does not have on this Windows.</summary>
    public static CimRow RowOf(ManagementBaseObject instance, IReadOnlyList<string> properties)
    {
        Dictionary<string, object?> row = [];
        foreach (PropertyData property in instance.Properties)
        {
            if (properties.Contains(property.Name))
            {
                row[property.Name] = property.Value;
            }
        }

        return new CimRow(row);
    }

    public static ManagementScope ScopeOf(string path) => new($@"\\.\{path.Replace('/', '\\')}");

    // Every failure is a result here: the runtime reports a missing WMI in many ways, and none of them may end a snapshot.
    private static CimFailure FailureOf(Exception failure, string what) => failure switch
    {
        ManagementException e => CimFailure.From((int)e.ErrorCode, e.Message, what),
        COMException e => CimFailure.From(e.HResult, e.Message, what),
        UnauthorizedAccessException e => CimFailure.From(e.HResult, e.Message, what),
        TypeInitializationException { InnerException: { } inner } => CimFailure.Missing(inner.Message),
        PlatformNotSupportedException or TypeLoadException or DllNotFoundException or FileNotFoundException or InvalidCastException =>
            CimFailure.Missing(failure.Message),
        _ => CimFailure.From(failure.HResult, failure.Message, what),
    };
}
