import HTTPTypes
import Perennial
import PerennialStore

/// The parameters of lists: the size of a page, its beginning, and filters.
extension QueryParameter {
    private static let limits = 1...1000
    private static let usualLimit = 100

    static let listAccount = QueryParameter("account", .described("Only this customer's"))
    static let listLimit = QueryParameter("limit", .range(limits), type: "integer")
    static let search = QueryParameter(
        "search", .described("Only what has this text in its ID or name, in any case"))
    static let productType = QueryParameter("type", .oneOf(ProductType.self))
    static let pageLimit = QueryParameter(
        "limit", .range(ListLimit.allowed).and(.described("The rows of a page")), type: "integer")
    static let afterNumber = after(ListCursor.number)
    static let afterPair = after(ListCursor.pair)
    static let afterName = after(ListCursor.name)

    private static func after(_ form: String) -> QueryParameter {
        QueryParameter("after", .pattern(form, "The `next` of the page before"))
    }

    /// Reads the limit of a list; 100 if there is none.
    ///
    /// - Throws: ``APIError`` `malformedRequest`.
    fileprivate static func checkLimit(_ text: String?, _ limits: ClosedRange<Int> = limits) throws -> Int {
        guard let text else { return usualLimit }
        guard let limit = Int(text), limits.contains(limit) else {
            throw APIError(
                .badRequest, "malformedRequest", "limit is \(limits.lowerBound) to \(limits.upperBound)", field: "limit"
            )
        }
        return limit
    }
}

extension Call {
    /// The limit of a list without pages in the query.
    ///
    /// - Throws: ``APIError`` `malformedRequest`.
    func listLimit() throws -> Int { try QueryParameter.checkLimit(query(.listLimit)) }

    /// The size of a page in the query; 100 if there is none.
    ///
    /// - Throws: ``APIError`` `malformedRequest`.
    func pageLimit() throws -> Int { try QueryParameter.checkLimit(query(.pageLimit), ListLimit.allowed) }

    /// The size of a page in the query; `nil` for all rows of a short list.
    ///
    /// - Throws: ``APIError`` `malformedRequest`.
    func givenPageLimit() throws -> Int? { try query(.pageLimit) == nil ? nil : pageLimit() }
}
