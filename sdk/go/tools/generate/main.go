// Generate makes the Go code of the protocol, or checks that it is current.
//
//	go -C tools run ./generate           write aurumv1/*.pb.go
//	go -C tools run ./generate -check    exit 1 and name the files that differ
//
// Compiler and plugins are the ones that tools/go.mod pins, so everybody gets the same bytes and needs Go alone.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/pluginpb"
)

// Paths are seen from tools/, where `go -C tools` runs this.
const (
	protos = "../../../proto"
	module = "aurum.arena/aurum"
	root   = ".."
)

var (
	// What is imported stands before what imports it, as plugins expect it.
	sources = []string{"aurum/v1/card.proto", "aurum/v1/game.proto", "aurum/v1/play.proto"}
	plugins = []string{"protoc-gen-go", "protoc-gen-go-grpc"}
)

func main() {
	log.SetFlags(0)
	check := flag.Bool("check", false, "only say whether the files are current")
	flag.Parse()
	generated, err := generate()
	if err != nil {
		log.Fatal(err)
	}
	present, err := filepath.Glob(filepath.Join(root, "aurumv1", "*.pb.go"))
	if err != nil {
		log.Fatal(err)
	}
	if *check {
		if stale := differing(generated, present); len(stale) > 0 {
			log.Fatalf("not current: %s; run: go generate .", strings.Join(stale, ", "))
		}
		return
	}
	for _, name := range present {
		if err := os.Remove(name); err != nil {
			log.Fatal(err)
		}
	}
	for name, content := range generated {
		if err := os.WriteFile(name, content, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// generate returns the content of each generated file by its path.
func generate() (map[string][]byte, error) {
	request, err := compile()
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, plugin := range plugins {
		command := exec.Command("go", "tool", plugin)
		command.Stdin = bytes.NewReader(request)
		command.Stderr = os.Stderr
		output, err := command.Output()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", plugin, err)
		}
		response := new(pluginpb.CodeGeneratorResponse)
		if err := proto.Unmarshal(output, response); err != nil {
			return nil, fmt.Errorf("%s: %w", plugin, err)
		}
		if response.Error != nil {
			return nil, fmt.Errorf("%s: %s", plugin, response.GetError())
		}
		for _, file := range response.File {
			files[filepath.Join(root, file.GetName())] = []byte(file.GetContent())
		}
	}
	return files, nil
}

// compile returns what a plugin of protoc reads from its standard input.
func compile() ([]byte, error) {
	compiler := protocompile.Compiler{
		Resolver:       &protocompile.SourceResolver{ImportPaths: []string{protos}},
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	files, err := compiler.Compile(context.Background(), sources...)
	if err != nil {
		return nil, err
	}
	parameters := []string{"module=" + module}
	for _, source := range sources {
		parameters = append(parameters, "M"+source+"="+module+"/aurumv1")
	}
	request := &pluginpb.CodeGeneratorRequest{
		FileToGenerate: sources,
		Parameter:      proto.String(strings.Join(parameters, ",")),
	}
	for _, file := range files {
		request.ProtoFile = append(request.ProtoFile, protodesc.ToFileDescriptorProto(file))
	}
	return proto.Marshal(request)
}

// differing names the files that are missing, superfluous or not as generated.
func differing(generated map[string][]byte, present []string) []string {
	stale := slices.DeleteFunc(present, func(name string) bool { return generated[name] != nil })
	for name, content := range generated {
		if old, err := os.ReadFile(name); err != nil || !bytes.Equal(old, content) {
			stale = append(stale, name)
		}
	}
	slices.Sort(stale)
	return stale
}
