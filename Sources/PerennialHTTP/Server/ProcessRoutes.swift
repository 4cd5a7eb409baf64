import HTTPTypes
import Hummingbird
import NIOCore
import PerennialStore

/// `health` and `ready`: the state of a process, for supervisors and load balancers.
struct StatusRoutes {
    private struct Status: AnswerModel { var status: String }

    let registry: StoreRegistry
    let readinessLimit: @Sendable () async throws -> Void

    func add(to open: RouteGroup<BasicConnectionContext>) {
        open.get("health", "The process answers") { (_: Call<NoBody>, _) in Status(status: "ok") }
        open.get("ready", "The store can sell") { (_: Call<NoBody>, _) in
            switch await registry.readiness(within: readinessLimit) {
            case .ready: return Status(status: "ready")
            case .notReady(let status, let reason):
                throw APIError(
                    .serviceUnavailable, status, "the store can't sell now: \(reason): \(status)",
                    headers: [.retryAfter: "1"])
            }
        }
    }
}

/// The answer at `/`: the server's name and its paths, or the way to the console for a browser.
enum FrontPage {
    private static let text = """
        Perennial: an App Store that you run yourself.

        Production answers here, Sandbox at /sandbox, further environments at /environments/NAME; below each of them
          verifyReceipt    POST: Apple's verifyReceipt
          inApps/v1, v2    Apple's App Store Server API
          v1/salesReports  Apple's App Store Connect API: reports
          store/v1         what OpenStoreKit talks to
          control/v1       what a test or an operator does; needs the control token

        /openapi.json             all of this server's own paths
        /health                   whether it answers
        /ready                    whether it can sell
        /metrics                  how it does, for Prometheus
        /certificates/root.cer    what its signed data is verified with; receipts with receipt-root.cer

        """

    /// - Parameter path: The path to which a browser is led; `nil` for none.
    static func response(to request: Request, browsersTo path: String?) -> Response {
        if let path, request.headers[.accept]?.contains("text/html") == true {
            return Response(status: .seeOther, headers: [.location: path, .vary: "Accept"])
        }
        return Response(
            status: .ok, headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
