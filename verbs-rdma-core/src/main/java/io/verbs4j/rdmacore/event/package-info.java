/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Waiting for file descriptors, with one thread for all of them. */
package io.verbs4j.rdmacore.event;
