/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.grpc;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;

/** The service: nothing in it knows what it runs over. */
final class Greeter {
    static final MethodDescriptor<String, String> GREET = method("greet", MethodType.UNARY);

    /** Answers a name with a greeting in each language. */
    static final MethodDescriptor<String, String> GREET_IN_ALL = method("greetInAll", MethodType.SERVER_STREAMING);

    private static final String[] GREETINGS = {"Hello", "Bonjour", "Guten Tag", "Buenos dias"};

    private Greeter() {}

    private static MethodDescriptor<String, String> method(String name, MethodType type) {
        return MethodDescriptor.newBuilder(new Text(), new Text())
                .setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName("example.Greeter", name))
                .build();
    }

    static ServerServiceDefinition service() {
        return ServerServiceDefinition.builder("example.Greeter")
                .addMethod(GREET, ServerCalls.asyncUnaryCall(Greeter::greet))
                .addMethod(GREET_IN_ALL, ServerCalls.asyncServerStreamingCall(Greeter::greetInAll))
                .build();
    }

    private static void greet(String name, StreamObserver<String> response) {
        if (name.isBlank()) {
            response.onError(Status.INVALID_ARGUMENT
                    .withDescription("the name is empty")
                    .asException());
            return;
        }
        response.onNext(GREETINGS[0] + ", " + name);
        response.onCompleted();
    }

    private static void greetInAll(String name, StreamObserver<String> response) {
        for (String greeting : GREETINGS) {
            response.onNext(greeting + ", " + name);
        }
        response.onCompleted();
    }
}
