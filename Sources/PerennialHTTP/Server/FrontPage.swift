import Hummingbird
import NIOCore

/// What a browser is told at `/`: what this is, and where to look.
enum FrontPage {
    private static let text = """
        Perennial: an App Store that you run yourself.

        Production answers here, Sandbox at /sandbox, further environments at /environments/NAME; below each of them
          verifyReceipt    POST: Apple's verifyReceipt
          inApps/v1, v2    Apple's App Store Server API
          store/v1         what OpenStoreKit talks to
          control/v1       what a test or an operator does; needs the control token

        /openapi.json             all of this server's own paths
        /health                   whether it answers
        /ready                    whether it can sell
        /metrics                  how it does, for Prometheus
        /certificates/root.cer    what its signed data is verified with; receipts with receipt-root.cer

        """

    static var response: Response {
        Response(
            status: .ok, headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
