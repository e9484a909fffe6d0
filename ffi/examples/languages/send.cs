// Sends one SMS. Configuration: the environment (CPAAS_SMS_URL, CPAAS_SMS_KEY, ...). Usage: send.exe TO TEXT
using System;
using System.Runtime.InteropServices;
using System.Text;

static class Program {
    struct Text { public IntPtr Data; public UIntPtr Length; }

    // Each text is a C string in UTF-8; the members are in the order of cpaas.h.
    struct Sms { public UIntPtr Size; public IntPtr From, To, Text, Reference, Callback; public uint Test, Reserved; }

    [DllImport("cpaas")] static extern uint cpaas_client_new(byte[] config, UIntPtr length, out IntPtr client, ref Text text);
    [DllImport("cpaas")] static extern uint cpaas_sms_send(IntPtr client, ref Sms sms, IntPtr options, IntPtr sent, ref Text text);
    [DllImport("cpaas")] static extern IntPtr cpaas_status_name(uint status);
    [DllImport("cpaas")] static extern void cpaas_text_free(ref Text text);
    [DllImport("cpaas")] static extern void cpaas_client_free(IntPtr client);

    static IntPtr Utf8(string text) { // The texts of this program live until it ends; in a longer one, call Marshal.FreeHGlobal.
        var bytes = Encoding.UTF8.GetBytes(text + "\0");
        var copy = Marshal.AllocHGlobal(bytes.Length);
        Marshal.Copy(bytes, 0, copy, bytes.Length);
        return copy;
    }

    static int Main(string[] args) {
        var text = new Text();
        IntPtr client;
        var status = cpaas_client_new(null, UIntPtr.Zero, out client, ref text);
        if (status == 0) { // CPAAS_OK
            var sms = new Sms { Size = (UIntPtr)Marshal.SizeOf(typeof(Sms)), From = Utf8("Acme"), To = Utf8(args[0]), Text = Utf8(args[1]) };
            status = cpaas_sms_send(client, ref sms, IntPtr.Zero, IntPtr.Zero, ref text);
        }
        var bytes = new byte[(int)text.Length];
        if (bytes.Length > 0) Marshal.Copy(text.Data, bytes, 0, bytes.Length);
        Console.WriteLine(Marshal.PtrToStringAnsi(cpaas_status_name(status)) + " " + Encoding.UTF8.GetString(bytes));
        cpaas_text_free(ref text);
        cpaas_client_free(client);
        return status == 0 ? 0 : 1;
    }
}
