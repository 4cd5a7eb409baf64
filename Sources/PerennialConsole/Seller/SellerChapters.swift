/// Products, prices, groups, offers, content.
enum SellerChapters {
    static let all: [any ConsoleChapter] = [
        ProductListChapter(), ProductChapter(), ProductEditingChapter(), LocalizationChapter(), AvailabilityChapter(),
        HistoryChapter(), PriceChapter(), PriceChangeChapter(), ReviewChapter(), SubmissionChapter(),
        GroupChapter(), GroupEditingChapter(), OfferChapter(), OfferEditingChapter(), OfferChangeChapter(),
        CodeChapter(), PromotionChapter(),
        ContentChapter(), AppChapter(), CatalogFileChapter(),
    ]
}
