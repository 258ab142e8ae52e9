/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.grpc;

import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A gRPC service of bytes, without generated code: unary calls that are echoed, and streams whose messages are counted.
 */
final class BytesService {
    static final MethodDescriptor<byte[], byte[]> ECHO = method("echo", MethodDescriptor.MethodType.UNARY);

    /** A stream that is answered with the number of messages and the hash of the last one. */
    static final MethodDescriptor<byte[], byte[]> TAKE = method("take", MethodDescriptor.MethodType.CLIENT_STREAMING);

    private static final String NAME = "benchmarks.Bytes";

    private BytesService() {}

    private static MethodDescriptor<byte[], byte[]> method(String name, MethodDescriptor.MethodType type) {
        return MethodDescriptor.newBuilder(new Bytes(), new Bytes())
                .setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(NAME, name))
                .build();
    }

    static ServerServiceDefinition definition() {
        return ServerServiceDefinition.builder(NAME)
                .addMethod(ECHO, ServerCalls.asyncUnaryCall((request, response) -> {
                    response.onNext(request);
                    response.onCompleted();
                }))
                .addMethod(TAKE, ServerCalls.asyncClientStreamingCall(Count::new))
                .build();
    }

    /** Returns the answer to a stream. */
    static byte[] sum(long messages, byte[] last) {
        return ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                .putLong(messages)
                .putInt(Arrays.hashCode(last))
                .array();
    }

    /** Counts the messages of a stream. */
    private static final class Count implements StreamObserver<byte[]> {
        private final StreamObserver<byte[]> response;
        private long messages;
        private byte[] last = {};

        Count(StreamObserver<byte[]> response) {
            this.response = response;
        }

        @Override
        public void onNext(byte[] message) {
            messages++;
            last = message;
        }

        @Override
        public void onError(Throwable cause) {
            // the client knows
        }

        @Override
        public void onCompleted() {
            response.onNext(sum(messages, last));
            response.onCompleted();
        }
    }

    /** Passes bytes unchanged. */
    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new KnownBytes(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** A stream of known length, like the messages of generated code. */
    private static final class KnownBytes extends ByteArrayInputStream implements KnownLength {
        KnownBytes(byte[] value) {
            super(value);
        }
    }
}
