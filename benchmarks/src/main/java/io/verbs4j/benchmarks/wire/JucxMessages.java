/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

import java.io.IOException;
import org.HdrHistogram.Histogram;
import org.openucx.jucx.ucp.UcpRequest;

/** Tagged messages of UCX. */
final class JucxMessages extends BufferTransport {
    private final JucxEnd end;

    JucxMessages(Link link, int size) throws IOException {
        super(size);
        end = new JucxEnd(link, size);
    }

    @Override
    public void send(long messages) throws IOException {
        for (long i = 0; i < messages; i++) {
            end.makeRoom();
            end.add(end.send(source));
        }
        end.drain();
    }

    @Override
    public void receive(long messages) throws IOException {
        for (long i = 0; i < messages; i++) {
            end.makeRoom();
            end.add(end.receive(target));
        }
        end.drain();
    }

    @Override
    public void ping(long messages, Histogram roundTrips) throws IOException {
        for (long i = 0; i < messages; i++) {
            long start = System.nanoTime();
            UcpRequest answer = end.receive(target);
            UcpRequest sent = end.send(source);
            end.await(sent);
            end.await(answer);
            roundTrips.recordValue(System.nanoTime() - start);
        }
    }

    @Override
    public void pong(long messages) throws IOException {
        for (long i = 0; i < messages; i++) {
            end.await(end.receive(target));
            end.await(end.send(source));
        }
    }

    @Override
    public void close() throws IOException {
        end.close();
    }
}
