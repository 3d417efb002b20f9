// CurlTransferTests
