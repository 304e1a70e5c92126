// Go's net/http as an APNs client, measured or tried as the others are. Run by go.mjs.
//
//	client CONFIG.json speed PUSHES WINDOW
//	client CONFIG.json faults PUSHES WINDOW
package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

type config struct {
	URL     string            `json:"url"`
	CA      string            `json:"ca"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
	Tokens  []string          `json:"tokens"`
}

type pusher struct {
	config
	client *http.Client
	body   []byte
}

func (p *pusher) send(i int) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, "POST", p.URL+p.Tokens[i%len(p.Tokens)], bytes.NewReader(p.body))
	if err != nil {
		return false
	}
	for name, value := range p.Headers {
		request.Header.Set(name, value)
	}
	response, err := p.client.Do(request)
	if err != nil {
		return false
	}
	io.Copy(io.Discard, response.Body)
	response.Body.Close()
	return response.StatusCode == 200
}

// all sends the pushes from `window` goroutines and tells how each ended.
func (p *pusher) all(pushes, window int, done func(i int, ok bool)) {
	var next int64 = -1
	var lanes sync.WaitGroup
	for lane := 0; lane < window; lane++ {
		lanes.Add(1)
		go func() {
			defer lanes.Done()
			for {
				i := int(atomic.AddInt64(&next, 1))
				if i >= pushes {
					return
				}
				done(i, p.send(i))
			}
		}()
	}
	lanes.Wait()
}

func cpuUs() float64 {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1000
}

func (p *pusher) speed(pushes, window int) map[string]float64 {
	var bad int64
	cpu, start := cpuUs(), time.Now()
	p.all(pushes, window, func(_ int, ok bool) {
		if !ok {
			atomic.AddInt64(&bad, 1)
		}
	})
	seconds := time.Since(start).Seconds()
	return map[string]float64{"cpuUs": (cpuUs() - cpu) / float64(pushes), "perSecond": float64(pushes) / seconds, "bad": float64(bad)}
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	p := &pusher{}
	if err := json.Unmarshal(text, &p.config); err != nil {
		panic(err)
	}
	p.body = []byte(p.Body)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte(p.CA))
	p.client = &http.Client{Transport: &http.Transport{
		ForceAttemptHTTP2: true,
		TLSClientConfig:   &tls.Config{RootCAs: roots},
	}}
	pushes, _ := strconv.Atoi(os.Args[3])
	window, _ := strconv.Atoi(os.Args[4])
	if os.Args[2] == "faults" {
		told := make([]string, pushes)
		p.all(pushes, window, func(i int, ok bool) {
			told[i] = map[bool]string{true: "sent", false: "failed"}[ok]
		})
		json.NewEncoder(os.Stdout).Encode(told)
		return
	}
	// Apple takes one stream until the first good answer.
	if !p.send(0) {
		fmt.Fprintln(os.Stderr, "Error: the first push failed")
		os.Exit(1)
	}
	time.Sleep(200 * time.Millisecond)
	p.speed(pushes/4, window)
	json.NewEncoder(os.Stdout).Encode(p.speed(pushes, window))
}
