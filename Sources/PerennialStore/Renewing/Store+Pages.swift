import Logging
import Perennial

/// Work on all subscriptions of an app, page by page.
extension Store {
    /// Does work page by page, until none is left. Where a page fails because of what its rows hold, its subscriptions are worked on
    /// one by one, and those that fail are left out.
    ///
    /// - Parameters:
    ///   - size: So many subscriptions are a page.
    ///   - page: Works on the next so many, in one transaction; says whether more is left.
    ///   - leavingOut: Passes over the next one, which has failed alone; says whether more is left.
    /// - Throws: What concerns more than rows, such as a database that doesn't answer; `CancellationError`.
    func workOffPages(
        of size: Int, _ page: (_ limit: Int) async throws -> Bool,
        leavingOut: (_ error: any Error) async throws -> Bool
    ) async throws {
        var singles = 0
        var isLeft = true
        while isLeft {
            try Task.checkCancellation()
            let isSingle = singles > 0
            if isSingle { singles -= 1 }
            do {
                isLeft = try await page(isSingle ? 1 : size)
            } catch  where error.isOfRows && !isSingle {
                singles = size
            } catch  where error.isOfRows {
                isLeft = try await leavingOut(error)
            }
        }
    }

    /// Runs a piece of work, and leaves it to the next round where it fails because of its own data: what comes after it goes on.
    func leavingForLater(_ work: String, _ name: String, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch  where error.isOfRows {
            logger.error(
                "\(work) failed and will be tried again",
                metadata: ["environment": "\(environment.name)", "name": "\(name)", "error": "\(error)"])
        }
    }

    func reportLeftOut(_ id: TransactionID, app: Int64, _ reason: String) {
        logger.error(
            "a subscription is left out: it can't be worked on",
            metadata: [
                "environment": "\(environment.name)", "app": "\(app)", "subscription": "\(id)", "error": "\(reason)",
            ])
    }
}
