import Logging
import PerennialStore
import ServiceLifecycle

/// Sees to it that a certificate revoked by one process soon signs for none: processes of one store share a folder.
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
