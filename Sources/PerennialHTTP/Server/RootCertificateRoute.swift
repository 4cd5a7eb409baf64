import HTTPTypes
import Hummingbird
import NIOCore

/// `GET certificates/root.cer`: the root of all that is signed, below each environment's base URL, which is all that a content
/// server or a backend knows of the store.
struct RootCertificateRoute: Sendable {
    let stores: StoreResolver
    /// DER.
    let certificate: [UInt8]

    func add(to router: some RouterMethods<BasicConnectionContext>) {
        router.get("certificates/root.cer") { _, context in
            // An environment that isn't there has none.
            _ = try await stores.store(for: context)
            return Response(
                status: .ok, headers: [.contentType: "application/pkix-cert"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: certificate)))
        }
    }
}
