import Logging
import PerennialStore
import ServiceLifecycle

/// Reads the folder of keys and the database's list of certificates again and again: a certificate that another process revoked soon
/// signs no more.
struct CertificateService: Service {
    private static let interval = Duration.seconds(2)

    let authority: CertificateAuthority
    let logger: Logger

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                do {
                    if try await authority.catchUp() {
                        logger.notice("another process revoked a certificate; a new one signs")
                    }
                } catch {
                    logger.error("revoked certificates can't be read", metadata: ["error": "\(error)"])
                }
                try await Task.sleep(for: Self.interval)
            }
        }
    }
}
