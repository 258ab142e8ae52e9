/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** How a lost connection is made again: when, how often, and what is known from one queue pair to the next. */
package io.verbs4j.bulk.recovery;
