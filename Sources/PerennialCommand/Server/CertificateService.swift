import Logging
import PerennialStore
import ServiceLifecycle

/// Reads the folder of keys again and again: a certificate that another process revoked soon signs no more.
struct CertificateService: Service {
    private static let interval = Duration.seconds(10)

    let authority: CertificateAuthority
    let logger: Logger

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: Self.interval)
                do {
                    guard try authority.catchUp() else { continue }
                    logger.notice("another process revoked a certificate; a new one signs")
                } catch {
                    logger.error("the folder of keys can't be read", metadata: ["error": "\(error)"])
                }
            }
        }
    }
}
