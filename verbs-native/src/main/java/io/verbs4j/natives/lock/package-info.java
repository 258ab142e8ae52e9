/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Locks that are held for the length of a post or a poll: a few nanoseconds, and mostly by one thread. */
package io.verbs4j.natives.lock;
