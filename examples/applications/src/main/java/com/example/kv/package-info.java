/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** A key-value store: begin with KeyValueStore, then RemoteTable (the client) and KvServer. */
package com.example.kv;
