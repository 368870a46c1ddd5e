module github.com/ratesim/ratesim

go 1.26
