import Logging
import PerennialStorage

extension NodeMembership {
    /// Ends sessions of nodes that have stopped or were cut off in the middle of a request, which hold locks that others wait for.
    func endStalledSessions() async {
        do {
            for session in try await database.endStalledSessions() {
                logger.warning(
                    """
                    a session held locks in the middle of a request, because its node stopped or was cut off; it was ended, and \
                    its transaction is rolled back
                    """,
                    metadata: [
                        "process": "\(session.process)", "client": "\(session.client)", "tables": "\(session.tables)",
                    ])
            }
        } catch {
            logger.debug("no stalled sessions looked for", metadata: ["error": "\(error)"])
        }
    }
}
