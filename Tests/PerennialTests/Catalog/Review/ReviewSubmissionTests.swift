import Perennial
import Testing

/// The steps of a review submission (docs/reference/seller-operations.md, "Review").
struct ReviewSubmissionTests {
    private let now = OfferSamples.today.start

    private func submission(_ items: Int = 2) throws -> ReviewSubmission {
        var submission = ReviewSubmission(id: "s", app: 1, platform: .iOS, by: .key("K"))
        for number in 0..<items { _ = try submission.add(.product(Int64(number), version: "v")) }
        return submission
    }

    private func code(_ body: () throws -> Void) -> CatalogEditError.Code? {
        do {
            try body()
            return nil
        } catch { return (error as? CatalogEditError)?.code }
    }

    @Test func `a submission is complete when all items are approved`() throws {
        var submission = try submission()
        #expect(try submission.submit(by: .key("K"), at: now).map(\.number) == [1, 2])
        #expect(submission.state == .waitingForReview)
        #expect(submission.submitted == now)
        #expect(try submission.start().count == 2)
        try submission.decide(1, rejection: nil)
        #expect(submission.state == .inReview)
        try submission.decide(2, rejection: nil)
        #expect(submission.state == .complete)
        #expect(submission.items.map(\.state) == [.approved, .approved])
    }

    @Test func `a rejected item is resolved or removed before the next submission`() throws {
        var submission = try submission()
        _ = try submission.submit(by: .control, at: now)
        try submission.decide(1, rejection: "The screenshot shows another product")
        try submission.decide(2, rejection: "No description")
        #expect(submission.state == .unresolvedIssues)
        #expect(submission.items[0].reason == "The screenshot shows another product")
        #expect(code { _ = try submission.submit(by: .control, at: now) } == .stateInvalid)
        try submission.resolve(1)
        try submission.remove(2)
        #expect(try submission.submit(by: .control, at: now).map(\.number) == [1])
        try submission.decide(1, rejection: nil)
        #expect(submission.state == .complete)
    }

    @Test func `a submission without open items ends when the last issue is removed`() throws {
        var submission = try submission(1)
        _ = try submission.submit(by: .control, at: now)
        try submission.decide(1, rejection: "No")
        try submission.remove(1)
        #expect(submission.state == .complete)
        #expect(submission.items.map(\.state) == [.removed])
    }

    @Test func `items are added and deleted before the submission only`() throws {
        var submission = try submission()
        try submission.remove(1)
        #expect(submission.items.map(\.number) == [2])
        #expect(try submission.add(.group("g", version: "v")) == 3)
        _ = try submission.submit(by: .control, at: now)
        #expect(code { _ = try submission.add(.group("h", version: "v")) } == .stateInvalid)
        #expect(code { try submission.remove(2) } == .stateInvalid)
        #expect(code { try submission.remove(9) } == .notFound)
    }

    @Test func `an empty submission can't be submitted`() throws {
        var submission = try submission(0)
        #expect(code { _ = try submission.submit(by: .control, at: now) } == .stateInvalid)
    }

    @Test func `a submission is cancelled after it was submitted and before it is complete`() throws {
        var open = try submission()
        #expect(code { _ = try open.cancel() } == .stateInvalid)
        _ = try open.submit(by: .control, at: now)
        #expect(try open.cancel().count == 2)
        #expect(open.state == .complete)
        #expect(code { _ = try open.cancel() } == .stateInvalid)
    }

    @Test func `a submission has 200 items at most`() throws {
        var submission = try submission(200)
        #expect(code { _ = try submission.add(.group("g", version: "v")) } == .limit)
    }
}
