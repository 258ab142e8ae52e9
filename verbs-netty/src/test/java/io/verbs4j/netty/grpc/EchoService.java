/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.grpc;

import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;

/** A service that echoes bytes, written without a generator. */
public final class EchoService {
    /** Number of responses in a stream from the server. */
    static final int RESPONSES = 100;

    static final MethodDescriptor<byte[], byte[]> UNARY = method("unary", MethodDescriptor.MethodType.UNARY);
    static final MethodDescriptor<byte[], byte[]> FROM_SERVER =
            method("fromServer", MethodDescriptor.MethodType.SERVER_STREAMING);
    static final MethodDescriptor<byte[], byte[]> BOTH = method("both", MethodDescriptor.MethodType.BIDI_STREAMING);

    /** Never answers. */
    static final MethodDescriptor<byte[], byte[]> SILENT = method("silent", MethodDescriptor.MethodType.UNARY);

    private static final String NAME = "test.Echo";

    /** Counted down when a silent call was cancelled. */
    final CountDownLatch cancelled = new CountDownLatch(1);

    private static MethodDescriptor<byte[], byte[]> method(String name, MethodDescriptor.MethodType type) {
        return MethodDescriptor.newBuilder(new Bytes(), new Bytes())
                .setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(NAME, name))
                .build();
    }

    public ServerServiceDefinition definition() {
        return ServerServiceDefinition.builder(NAME)
                .addMethod(UNARY, ServerCalls.asyncUnaryCall((request, response) -> {
                    response.onNext(request);
                    response.onCompleted();
                }))
                .addMethod(FROM_SERVER, ServerCalls.asyncServerStreamingCall((request, response) -> {
                    for (int i = 0; i < RESPONSES; i++) {
                        response.onNext(request);
                    }
                    response.onCompleted();
                }))
                .addMethod(BOTH, ServerCalls.asyncBidiStreamingCall(EchoService::echo))
                .addMethod(
                        SILENT,
                        ServerCalls.asyncUnaryCall((request, response) ->
                                ((ServerCallStreamObserver<byte[]>) response).setOnCancelHandler(cancelled::countDown)))
                .build();
    }

    private static StreamObserver<byte[]> echo(StreamObserver<byte[]> response) {
        return new StreamObserver<>() {
            @Override
            public void onNext(byte[] value) {
                response.onNext(value);
            }

            @Override
            public void onError(Throwable t) {
                response.onError(Status.CANCELLED.asException());
            }

            @Override
            public void onCompleted() {
                response.onCompleted();
            }
        };
    }

    /** Passes bytes through unchanged. */
    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
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
}
