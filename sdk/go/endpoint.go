package aurum

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
)

// An endpoint is where the referee listens, and what it knows this bot by.
type endpoint struct {
	network string // tcp or unix
	address string
	token   string
}

// whereabouts reads what the arena has put into the environment.
func whereabouts(getenv func(string) string) (endpoint, error) {
	address, token := getenv("AURUM_ADDRESS"), getenv("AURUM_TOKEN")
	for _, variable := range []struct{ name, value string }{{"AURUM_ADDRESS", address}, {"AURUM_TOKEN", token}} {
		if variable.value == "" {
			return endpoint{}, usageError(variable.name +
				" is not set: bots are started by the arena (arena play --bot NAME=COMMAND ...)")
		}
	}
	if path, isUnix := strings.CutPrefix(address, "unix:"); isUnix && strings.HasPrefix(path, "/") {
		return endpoint{network: "unix", address: path, token: token}, nil
	}
	host, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil || host == "" {
		return endpoint{}, usageError(
			fmt.Sprintf("AURUM_ADDRESS is %q, which is no address: host:port or unix:/path is expected", address))
	}
	return endpoint{network: "tcp", address: address, token: token}, nil
}

// String returns the address as the environment has it.
func (e endpoint) String() string {
	if e.network == "unix" {
		return "unix:" + e.address
	}
	return e.address
}

func (e endpoint) dial(ctx context.Context, _ string) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, e.network, e.address)
}
