// CurlTransfer
