@testable import PerennialConsole
import PerennialStorage
import Testing

/// The page while the database is away.
struct UnavailablePageTests {
    @Test(arguments: [StorageError.Code.connectionLost, .unresponsive, .readOnly, .resources, .busy])
    func `a database that can't write now is 503 with the time to come back`(code: StorageError.Code) {
        let page = ErrorPage(StorageError(code, "server", "gone")) { "id" }
        #expect(page.status == 503)
        #expect(page.retryAfter == "1")
    }

    @Test(arguments: [StorageError.Code.corrupt, .statement])
    func `a damaged database is an error of the store`(code: StorageError.Code) {
        let page = ErrorPage(StorageError(code, "rows", "damaged")) { "id" }
        #expect(page.status == 500)
        #expect(page.retryAfter == nil)
        #expect(page.logID == "id")
    }
}
